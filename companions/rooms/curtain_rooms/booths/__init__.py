"""The other room: the wizard's station on the network, its code and its booths."""
