-- Leases the ends of pauses that are not posted, oldest first, as dead_tokens_take does.
with clock as materialized (
    select clock_timestamp() as now
),
unposted as materialized (
    select app, resumed_at
    from past_pauses
    where posted_at is null and posting_until <= (select now from clock)
    order by resumed_at
    limit $1
    for update skip locked
)
update past_pauses
set posting_until = (select now from clock) + make_interval(secs => $2)
from unposted
where past_pauses.app = unposted.app and past_pauses.resumed_at = unposted.resumed_at
returning past_pauses.app, past_pauses.reason, past_pauses.resumed_at
