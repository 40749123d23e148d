"""From what is remembered back to the words, and forward to what was concluded from them."""
