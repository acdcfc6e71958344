-- Never revives an expired lease: renewals don't take the claim key, so an exclusive claimer may have looked at it.
with clock as materialized (
    select clock_timestamp() as now
),
ours as materialized (
    select *
    from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality as ours (app, device, token, place)
),
locked as materialized (
    select ours.app, ours.device, ours.place
    from ours
    join lanes on lanes.app = ours.app and lanes.device = ours.device
    where lanes.lease_token = ours.token and lanes.lease_until > (select now from clock)
    order by lanes.app, lanes.device
    for update of lanes skip locked
),
renewed as (
    update lanes
    set lease_until = (select now from clock) + make_interval(secs => $4)
    from locked
    where lanes.app = locked.app and lanes.device = locked.device
    returning locked.place
)
select
    ours.place,
    exists (select from renewed where renewed.place = ours.place) as renewed,
    exists (
        select
        from lanes
        where lanes.app = ours.app and lanes.device = ours.device
            and lanes.lease_token = ours.token
            and lanes.lease_until > (select now from clock)
    ) as held
from ours
