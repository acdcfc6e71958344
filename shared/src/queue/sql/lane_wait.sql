-- Waits for one lane (up to lock_timeout): a hot device starves a finish or a renewal that only skips.
select
from lanes
where app = $1 and device = $2 and head = $3 and lease_token = $4
for update
