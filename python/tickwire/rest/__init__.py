"""REST calls: transports, retries, and one method for each endpoint."""
