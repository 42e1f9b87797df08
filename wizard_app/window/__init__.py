"""What the wizard's window shows and asks: pages and panels; of the desk only values."""
