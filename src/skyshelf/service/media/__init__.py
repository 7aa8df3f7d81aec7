"""Reading pictures, videos and PDFs from untrusted sources, always in a separate process with limits."""
