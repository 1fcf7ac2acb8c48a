"""One file for each command of `espalier`. What is heavy is imported when its command runs, so that help is instant."""
