-- Marks what SQS has, or gives back what it does not have. A pause that grew meanwhile is still to be posted: it ends
-- at another time.
with told as materialized (
    select pauses.app
    from unnest($1::text[], $2::timestamptz[]) as told (app, until)
    join pauses on pauses.app = told.app
    where pauses.until = told.until
    order by pauses.app
    for update of pauses
)
update pauses
set posted_at = case when $3 then (select clock_timestamp()) else pauses.posted_at end,
    posting_until = '-infinity'
from told
where pauses.app = told.app
