// The tables from the documentation of the published adapters, as their tools create them. tests/interop/schemas.ts has more.

const mysqlTokens = (text: string) =>
  `refresh_token ${text}, access_token ${text}, expires_at int, token_type varchar(255), scope varchar(255), id_token ${text}, session_state varchar(255)`

export const drizzleMysql = `
  create table user (
    id varchar(255) primary key not null, name varchar(255), email varchar(255) unique, emailVerified timestamp(3) null,
    image varchar(255)
  );
  create table account (
    userId varchar(255) not null, type varchar(255) not null, provider varchar(255) not null,
    providerAccountId varchar(255) not null, ${mysqlTokens("text")}, primary key (provider, providerAccountId),
    foreign key (userId) references user (id) on delete cascade
  );
  create table session (
    sessionToken varchar(255) primary key not null, userId varchar(255) not null, expires timestamp not null,
    foreign key (userId) references user (id) on delete cascade
  );
  create table verificationToken (
    identifier varchar(255) not null, token varchar(255) not null, expires timestamp not null,
    primary key (identifier, token)
  );
  create table authenticator (
    credentialID varchar(255) not null unique, userId varchar(255) not null, providerAccountId varchar(255) not null,
    credentialPublicKey varchar(255) not null, counter int not null, credentialDeviceType varchar(255) not null,
    credentialBackedUp boolean not null, transports varchar(255), primary key (userId, credentialID),
    foreign key (userId) references user (id) on delete cascade
  );`

export const kyselyMysql = `
  create table User (
    id varchar(36) primary key, name varchar(255), email varchar(255) unique not null, emailVerified datetime(3),
    image varchar(255)
  );
  create table Account (
    userId varchar(36) not null, type varchar(255) not null, provider varchar(191) not null,
    providerAccountId varchar(255) not null, ${mysqlTokens("text")}, primary key (provider, providerAccountId),
    foreign key (userId) references User (id) on delete cascade
  );
  create table Session (
    sessionToken varchar(255) primary key, userId varchar(36) not null, expires datetime(3) not null,
    foreign key (userId) references User (id) on delete cascade
  );
  create table VerificationToken (
    identifier varchar(255) not null, token varchar(255) not null, expires datetime(3) not null,
    primary key (identifier, token)
  );`

interface PrismaTypes {
  readonly key: string
  readonly text: string
  readonly instant: string
  readonly boolean: string
  readonly quote: string
}

const postgresTypes = { key: "text", text: "text", instant: "timestamp(3)", boolean: "boolean", quote: '"' }
const sqliteTypes = { key: "text", text: "text", instant: "datetime", boolean: "boolean", quote: '"' }
const mysqlTypes = { key: "varchar(191)", text: "text", instant: "datetime(3)", boolean: "boolean", quote: "`" }

export const prisma = inEach(prismaTables)
export const olderPrisma = inEach(olderPrismaTables)

function inEach(tables: (types: PrismaTypes) => string) {
  return { postgres: tables(postgresTypes), sqlite: tables(sqliteTypes), mysql: tables(mysqlTypes) }
}

function prismaTables({ key, text, instant, boolean, quote }: PrismaTypes): string {
  const created = `"createdAt" ${instant} not null default current_timestamp${instant.includes("3") ? "(3)" : ""}`
  const dates = `${created}, "updatedAt" ${instant} not null`
  return `
  create table "User" (
    id ${key} primary key not null, name ${key}, email ${key} not null, "emailVerified" ${instant}, image ${key}, ${dates}
  );
  create unique index "User_email_key" on "User" (email);
  create table "Account" (
    "userId" ${key} not null, type ${key} not null, provider ${key} not null, "providerAccountId" ${key} not null,
    refresh_token ${text}, access_token ${text}, expires_at integer, token_type ${key}, scope ${text}, id_token ${text},
    session_state ${key}, ${dates}, primary key (provider, "providerAccountId"),
    foreign key ("userId") references "User" (id) on delete cascade on update cascade
  );
  create table "Session" (
    "sessionToken" ${key} not null, "userId" ${key} not null, expires ${instant} not null, ${dates},
    foreign key ("userId") references "User" (id) on delete cascade on update cascade
  );
  create unique index "Session_sessionToken_key" on "Session" ("sessionToken");
  create table "VerificationToken" (
    identifier ${key} not null, token ${key} not null, expires ${instant} not null, primary key (identifier, token)
  );
  create table "Authenticator" (
    "credentialID" ${key} not null, "userId" ${key} not null, "providerAccountId" ${key} not null,
    "credentialPublicKey" ${text} not null, counter integer not null, "credentialDeviceType" ${key} not null,
    "credentialBackedUp" ${boolean} not null, transports ${key}, primary key ("userId", "credentialID"),
    foreign key ("userId") references "User" (id) on delete cascade on update cascade
  );
  create unique index "Authenticator_credentialID_key" on "Authenticator" ("credentialID");`.replaceAll('"', quote)
}

/** Every table has an id that Prisma assigns, and so have the dates no default in the database. */
function olderPrismaTables({ key, text, instant, quote }: PrismaTypes): string {
  const dates = `"createdAt" ${instant} not null, "updatedAt" ${instant} not null`
  return `
  create table "User" (
    id ${key} primary key not null, name ${key}, email ${key}, "emailVerified" ${instant}, image ${key}, ${dates}
  );
  create unique index "User_email_key" on "User" (email);
  create table "Account" (
    id ${key} primary key not null, "userId" ${key} not null, type ${key} not null, provider ${key} not null,
    "providerAccountId" ${key} not null, refresh_token ${text}, access_token ${text}, expires_at integer,
    token_type ${key}, scope ${text}, id_token ${text}, session_state ${key}, ${dates},
    foreign key ("userId") references "User" (id) on delete cascade on update cascade
  );
  create unique index "Account_provider_providerAccountId_key" on "Account" (provider, "providerAccountId");
  create table "Session" (
    id ${key} primary key not null, "sessionToken" ${key} not null, "userId" ${key} not null, expires ${instant} not null,
    ${dates}, foreign key ("userId") references "User" (id) on delete cascade on update cascade
  );
  create unique index "Session_sessionToken_key" on "Session" ("sessionToken");
  create table "VerificationToken" (identifier ${key} not null, token ${key} not null, expires ${instant} not null);
  create unique index "VerificationToken_token_key" on "VerificationToken" (token);
  create unique index "VerificationToken_identifier_token_key" on "VerificationToken" (identifier, token);`.replaceAll(
    '"',
    quote,
  )
}
