"""What alaya talks about: frozen values, standard library only, no I/O."""
