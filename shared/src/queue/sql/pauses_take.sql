-- Leases the pauses that are not posted, as dead_tokens_take does.
with clock as materialized (
    select clock_timestamp() as now
),
unposted as materialized (
    select app
    from pauses
    where posted_at is null and posting_until <= (select now from clock)
    order by app
    limit $1
    for update skip locked
)
update pauses
set posting_until = (select now from clock) + make_interval(secs => $2)
from unposted
where pauses.app = unposted.app
returning
    pauses.app, pauses.reason, pauses.until,
    -- a row older than the column
    coalesce(pauses.paused_at, (select now from clock)) as paused_at
