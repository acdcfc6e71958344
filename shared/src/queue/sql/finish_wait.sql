-- Waits for one lane (up to lock_timeout), so that a hot device doesn't starve a finish that skips.
select
from lanes
where app = $1 and device = $2 and head = $3 and lease_token = $4
for update
