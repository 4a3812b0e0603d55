"""How well consolidation finds facts: a labelled set, through the API and the worker of a running stack."""
