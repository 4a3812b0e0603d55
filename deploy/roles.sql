-- Logins, roles, the database and the extension, made once by a superuser; migrations never make them.
-- The same as in docs/operations.md, with passwords for a developer's own machine.
CREATE ROLE mneme_tenant NOLOGIN;
CREATE ROLE mneme_engine NOLOGIN;
CREATE ROLE mneme_operator NOLOGIN;
CREATE ROLE mneme_eraser NOLOGIN;
CREATE ROLE mneme_owner LOGIN PASSWORD 'only-on-this-machine';
CREATE ROLE mneme_web LOGIN PASSWORD 'only-on-this-machine';
CREATE ROLE mneme_worker LOGIN PASSWORD 'only-on-this-machine';
GRANT mneme_tenant, mneme_engine TO mneme_web WITH INHERIT FALSE, SET TRUE;
GRANT mneme_tenant, mneme_engine, mneme_operator, mneme_eraser TO mneme_worker WITH INHERIT FALSE, SET TRUE;
CREATE DATABASE mneme OWNER mneme_owner;
REVOKE TEMPORARY ON DATABASE mneme FROM PUBLIC;
\c mneme
CREATE EXTENSION vector;
