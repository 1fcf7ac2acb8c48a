"""Who may ask for what: keys, what each opens, and the sign-in of a browser."""
