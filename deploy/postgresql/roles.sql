-- The two roles and the database. Run once, as a superuser of PostgreSQL 14 or newer:
--   psql --set owner_password=… --set service_password=… --file deploy/postgresql/roles.sql postgres
-- `travel_partner_owner` owns the tables and runs `manage.py migrate`; no process of the service knows its password.
-- `travel_partner_service` reads and writes rows. It cannot make, alter, empty or drop a table.
\set ON_ERROR_STOP on

CREATE ROLE travel_partner_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE travel_partner_service LOGIN PASSWORD :'service_password';

-- What connections of the service ask for themselves, for those of other programs.
ALTER ROLE travel_partner_service SET lock_timeout = '2s';
ALTER ROLE travel_partner_service SET statement_timeout = '10s';
ALTER ROLE travel_partner_service SET idle_in_transaction_session_timeout = '5s';
ALTER ROLE travel_partner_service SET random_page_cost = 1.1;

CREATE DATABASE travel_partner OWNER travel_partner_owner TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE travel_partner FROM PUBLIC;
GRANT CONNECT ON DATABASE travel_partner TO travel_partner_service;

\connect travel_partner
ALTER SCHEMA public OWNER TO travel_partner_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO travel_partner_service;
-- What migrations make later is the service's to use from the moment that it is there.
ALTER DEFAULT PRIVILEGES FOR ROLE travel_partner_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO travel_partner_service;
ALTER DEFAULT PRIVILEGES FOR ROLE travel_partner_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO travel_partner_service;
