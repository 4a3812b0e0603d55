"""A BERT encoder in this process."""

import numpy as np
import onnxruntime

from backends.bert.graph import IN, OUT, graph_of
from backends.bert.weights import Array, Weights

ERRORS_ONLY = 3
"""Severity; it would warn of graphics cards that are not there."""


class Encoder:
    """From the sums of a text's token vectors to their last hidden states, both of shape (tokens, width).

    On the thread that calls, with no thread of its own: it can be used after a fork, and by several threads.
    """

    def __init__(self, weights: Weights) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(
            graph_of(weights).SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, summed: Array) -> Array:
        """Return the last hidden state of each token."""
        (hidden,) = self._session.run([OUT], {IN: summed[np.newaxis].astype(np.float32, copy=False)})
        states: Array = np.asarray(hidden)[0]
        return states
