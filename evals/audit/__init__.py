"""The audit: is what a run says of itself true?"""
