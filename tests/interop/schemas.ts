// The tables from the documentation of each published adapter.

export const pgTables = `
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint,
    id_token text, scope text, session_state text, token_type text
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null
  );
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token)
  );`

const tokens = `
    refresh_token text, access_token text, expires_at integer, token_type text, scope text, id_token text,
    session_state text`

export const kyselyPg = kyselyTables("timestamptz")
export const kyselySqlite = kyselyTables("text")
export const drizzlePg = drizzleTables("timestamp", "boolean")
export const drizzleSqlite = drizzleTables("integer", "integer")

function kyselyTables(instant: string): string {
  return `
  create table "User" (
    id text primary key, name text, email text unique not null, "emailVerified" ${instant}, image text
  );
  create table "Account" (
    "userId" text not null references "User" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, ${tokens}, primary key (provider, "providerAccountId")
  );
  create table "Session" (
    "sessionToken" text primary key, "userId" text not null references "User" (id) on delete cascade,
    expires ${instant} not null
  );
  create table "VerificationToken" (
    identifier text not null, token text not null, expires ${instant} not null, primary key (identifier, token)
  );`
}

function drizzleTables(instant: string, boolean: string): string {
  return `
  create table "user" (id text primary key, name text, email text unique, "emailVerified" ${instant}, image text);
  create table account (
    "userId" text not null references "user" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, ${tokens}, primary key (provider, "providerAccountId")
  );
  create table session (
    "sessionToken" text primary key, "userId" text not null references "user" (id) on delete cascade,
    expires ${instant} not null
  );
  create table "verificationToken" (
    identifier text not null, token text not null, expires ${instant} not null, primary key (identifier, token)
  );
  create table authenticator (
    "credentialID" text not null unique, "userId" text not null references "user" (id) on delete cascade,
    "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" ${boolean} not null, transports text,
    primary key ("userId", "credentialID")
  );`
}
