"""Systems in the wizard's chair: how they are asked, what may become of their answers, and a recogniser that errs."""
