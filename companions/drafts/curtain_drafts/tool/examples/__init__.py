"""What answered questions teach: which statement is near, what words and values mean, and what follows for a query."""

MEANING, MODEL_FILES = "minilm", ("model.onnx", "tokenizer.json")
"""The model of meaning of this user's shelf, and the files of any."""
