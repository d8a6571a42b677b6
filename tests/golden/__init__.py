"""What every command of our data comes to, held against what it came to before."""
