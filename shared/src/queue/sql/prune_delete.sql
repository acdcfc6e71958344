-- Deletes expired rows of unleased lanes that can be locked; answers the lanes whose head went with them.
with found as materialized (
    select * from unnest($1::text[], $2::text[], $3::bigint[]) as found (app, device, seq)
),
locked as materialized (
    select lanes.app, lanes.device, lanes.head
    from (select distinct app, device from found) as wanted
    join lanes on lanes.app = wanted.app and lanes.device = wanted.device
    where lanes.lease_until <= (select clock_timestamp())
    order by lanes.app, lanes.device
    for update of lanes skip locked
),
deleted as (
    delete from notifications
    where seq = any(array(
        select found.seq
        from found
        join locked on locked.app = found.app and locked.device = found.device
    ))
    returning seq, app, device
)
select deleted.app, deleted.device, deleted.seq = locked.head as head
from deleted
join locked on locked.app = deleted.app and locked.device = deleted.device
