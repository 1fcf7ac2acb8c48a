"""The scripts that made the shipped weights. Run them from the repository: `make train MODEL=sst2-minilm`."""
