"""Reading pictures, videos and PDFs that anybody may have made: always in a process of its own, within limits."""
