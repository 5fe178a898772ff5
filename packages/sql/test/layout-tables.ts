/** The tables of `@auth/drizzle-adapter` in SQLite. */
export const drizzleTables = (prefix: string) => `
  create table "${prefix}user" (id text primary key, name text, email text unique, "emailVerified" integer, image text);
  create table "${prefix}account" (
    "userId" text not null references "${prefix}user" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, access_token text, primary key (provider, "providerAccountId")
  );
  create table "${prefix}session" (
    "sessionToken" text primary key, "userId" text not null references "${prefix}user" (id) on delete cascade,
    expires integer not null
  );
  create table "${prefix}verification_token" (
    identifier text not null, token text not null, expires integer not null, primary key (identifier, token)
  );`
