"""An experiment at the wizard's desk: the plan, the system in the chair, errors on purpose, constant latency."""
