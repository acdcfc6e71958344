-- Marks what SQS has, or gives back what it does not have. A newer verdict is still to be posted: it has another time.
with told as materialized (
    select dead_tokens.app, dead_tokens.token_hash
    from unnest($1::text[], $2::bytea[], $3::timestamptz[]) as told (app, token_hash, dead_at)
    join dead_tokens on dead_tokens.app = told.app and dead_tokens.token_hash = told.token_hash
    where dead_tokens.dead_at = told.dead_at
    order by dead_tokens.app, dead_tokens.token_hash
    for update of dead_tokens
)
update dead_tokens
set posted_at = case when $4 then (select clock_timestamp()) else dead_tokens.posted_at end,
    posting_until = '-infinity'
from told
where dead_tokens.app = told.app and dead_tokens.token_hash = told.token_hash
