-- What the service may do with each table. Run after each `manage.py migrate`, as the tables' owner; running it again changes nothing.
\set ON_ERROR_STOP on

BEGIN;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO travel_partner_service;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO travel_partner_service;
-- Money that has moved is written once. Triggers refuse changes as well, to every role.
REVOKE UPDATE, DELETE ON ledger_transaction, ledger_entry FROM travel_partner_service;
-- Which migrations there are is for the owner to say.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM travel_partner_service;
COMMIT;
