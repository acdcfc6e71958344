-- Locks the lanes that are still what the claim returned, and deletes the heads that are over.
with ours as materialized (
    select *
    from unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[], $5::boolean[], $6::boolean[])
        with ordinality as ours (app, device, head, token, over, expired, place)
),
locked as materialized (
    select ours.*
    from ours
    join lanes on lanes.app = ours.app and lanes.device = ours.device
    where lanes.head = ours.head and lanes.lease_token = ours.token
    order by lanes.app, lanes.device
    for update of lanes skip locked
),
-- an expired head takes the expired rows behind it along: each would cost a claim of its own
also_expired as materialized (
    select behind.seq, locked.place
    from locked
    cross join lateral (
        select seq, expires_at
        from notifications
        where notifications.app = locked.app and notifications.device = locked.device
        order by send_at, seq
        limit $7
    ) as behind
    where locked.expired
        and behind.seq <> locked.head
        and behind.expires_at <= (select clock_timestamp())
    limit $7
),
deleted as (
    delete from notifications
    where seq = any(array(
        select head from locked where over
        union all
        select seq from also_expired
    ))
)
select
    locked.place,
    (select count(*) from also_expired where also_expired.place = locked.place) as also_expired
from locked
