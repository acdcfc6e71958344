-- A second look without skip locked, only after an empty claim: is anything due that is merely locked?
select exists (
    select
    from unnest($1::text[]) as wanted (app)
    cross join lateral (
        select
        from lanes
        where lanes.app = wanted.app
            and lanes.due_at <= (select clock_timestamp())
            and lanes.lease_until <= (select clock_timestamp())
        limit 1
    ) as due
)
