-- Marks what SQS has, or gives back what it does not have.
with told as materialized (
    select past_pauses.app, past_pauses.resumed_at
    from unnest($1::text[], $2::timestamptz[]) as told (app, resumed_at)
    join past_pauses on past_pauses.app = told.app and past_pauses.resumed_at = told.resumed_at
    order by past_pauses.app, past_pauses.resumed_at
    for update of past_pauses
)
update past_pauses
set posted_at = case when $3 then (select clock_timestamp()) else past_pauses.posted_at end,
    posting_until = '-infinity'
from told
where past_pauses.app = told.app and past_pauses.resumed_at = told.resumed_at
