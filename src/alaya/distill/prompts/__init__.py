"""What models are asked, in English and Chinese, beside the schemas of what they answer."""
