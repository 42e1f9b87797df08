"""One shelf for the weights of all models: what there is, where it lies, how it is fetched, checked and removed."""
