"""BERT: the encoder that the bundled models share, run by ONNX Runtime."""
