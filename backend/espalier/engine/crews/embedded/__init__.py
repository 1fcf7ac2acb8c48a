"""The default crew: worker processes of this server's own, one for each device."""
