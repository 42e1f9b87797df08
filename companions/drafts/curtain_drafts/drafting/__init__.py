"""What a drafter is asked, and what it answers: values alone. Drafters are offered by companions."""
