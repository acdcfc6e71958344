-- Shared, so that claims never block one another; try, so that a revision that claims exclusively is yielded to.
select
    pg_try_advisory_xact_lock_shared($1) as held,
    array(
        select wanted.app
        from unnest($2::text[]) with ordinality as wanted (app, place)
        -- a pause whose time is over still waits for its probe
        where $3 or not exists (select from pauses where pauses.app = wanted.app)
        order by wanted.place
    ) as apps
