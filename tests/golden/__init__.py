"""What every command of our data comes to, as text, held against what it came to before."""
