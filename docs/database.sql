-- The two roles of Pushwake, applied once by an administrator, connected to the queue's database; again it changes nothing.
-- Passwords are no part of it: docs/deploy.md sets them.

do $$
begin
    if not exists (select from pg_roles where rolname = 'pushwake_owner') then
        create role pushwake_owner login;
    end if;
    if not exists (select from pg_roles where rolname = 'pushwake_app') then
        create role pushwake_app login;
    end if;
    execute format('grant connect on database %I to pushwake_owner, pushwake_app', current_database());
end
$$;

-- The administrator of RDS is no superuser: only a member of a role may set its default privileges.
grant pushwake_owner to current_user;

-- migrate: owns what it creates.
revoke create on schema public from public;
grant usage, create on schema public to pushwake_owner;

-- enqueue, drain and schedule: rows only, in every table that migrate creates.
grant usage on schema public to pushwake_app;
alter default privileges for role pushwake_owner in schema public
    grant select, insert, update, delete on tables to pushwake_app;

-- The age of the oldest snapshot, a metric, is that of every role's sessions: a forgotten one of any role keeps dead rows.
-- With this right pushwake_app sees the sessions of other roles, and what they run; without it, its own alone.
do $$
begin
    grant pg_read_all_stats to pushwake_app;
exception
    when insufficient_privilege then
        raise notice 'grant pg_read_all_stats to pushwake_app as a role that may, for the metric oldest_snapshot_age';
end
$$;

-- Each transaction of the product has shorter ones of its own; these end what is left of a function that was killed.
-- None for pushwake_owner: migrate bounds itself, and builds indexes that take long.
alter role pushwake_app set statement_timeout = '15s';
alter role pushwake_app set lock_timeout = '5s';
alter role pushwake_app set idle_in_transaction_session_timeout = '15s';
