-- Leases the oldest verdicts that are not posted. A lease, since a lock held until SQS has answered would keep the
-- writers of the row waiting.
with clock as materialized (
    select clock_timestamp() as now
),
unposted as materialized (
    select app, token_hash
    from dead_tokens
    where posted_at is null and posting_until <= (select now from clock)
    order by recorded_at
    limit $1
    for update skip locked
),
taken as (
    update dead_tokens
    set posting_until = (select now from clock) + make_interval(secs => $2)
    -- by key through both arrays: a CTE with a limit would be joined by a scan of the table
    from unnest(
        (select array_agg(app) from unposted),
        (select array_agg(token_hash) from unposted)
    ) as chosen (app, token_hash)
    where dead_tokens.app = chosen.app and dead_tokens.token_hash = chosen.token_hash
    returning dead_tokens.*
)
select app, token_hash, device, reason, dead_at, source, event
from taken
order by recorded_at
