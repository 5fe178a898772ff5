/** Prisma creates tables with a program that it downloads, so the tests create them with SQL. */
export type Provider = "postgresql" | "mysql" | "sqlite"

const types = {
  postgresql: { key: "text", long: "text", date: "timestamp(3)", big: "bigint", bool: "boolean" },
  mysql: { key: "varchar(255)", long: "text", date: "datetime(3)", big: "bigint", bool: "boolean" },
  sqlite: { key: "text", long: "text", date: "datetime", big: "bigint", bool: "boolean" },
} as const

/** What `prisma migrate` makes of `latchkey.prisma` and `published.prisma`. */
export function statementsFor(provider: Provider, schema: string): string[] {
  const { key, long, date, big, bool } = types[provider]
  const isOurs = schema === "latchkey"
  const quote = provider === "mysql" ? "`" : '"'
  const times = `, createdAt ${date} not null default current_timestamp${provider === "sqlite" ? "" : "(3)"}, updatedAt ${date} not null`
  const owner = `foreign key (userId) references User (id) on delete cascade`
  const statements = [
    `create table User (id ${key} primary key, name ${key}, email ${key} not null unique, emailVerified ${date}, image ${long}${isOurs ? `, extra ${long}` : times})`,
    `create table Account (userId ${key} not null, type ${key} not null, provider ${key} not null,
      providerAccountId ${key} not null, refresh_token ${long}, access_token ${long}, expires_at integer, token_type ${key},
      scope ${long}, id_token ${long}, session_state ${long}${isOurs ? `, extra ${long}` : times},
      primary key (provider, providerAccountId), ${owner})`,
    `create table Session (sessionToken ${key} not null unique, userId ${key} not null, expires ${date} not null${isOurs ? `, details ${long}` : times}, ${owner})`,
    `create table VerificationToken (identifier ${key} not null, token ${key} not null, expires ${date} not null,
      primary key (identifier, token))`,
    `create table Authenticator (credentialID ${key} not null unique, userId ${key} not null,
      providerAccountId ${key} not null, credentialPublicKey ${long} not null, counter ${isOurs ? big : "integer"} not null,
      credentialDeviceType ${key} not null, credentialBackedUp ${bool} not null, transports ${key}${isOurs ? `, details ${long}` : ""},
      primary key (userId, credentialID), ${owner})`,
    ...(isOurs
      ? [
          `create table RateLimit (${quote}key${quote} ${key} primary key, points integer not null, resets ${big} not null)`,
          `create table latchkey_records (kind ${key} not null, ${quote}key${quote} ${key} not null, owner ${key}, index1 ${key}, index2 ${key},
            data ${provider === "mysql" ? "longtext" : "text"} not null, version integer not null, expires_at ${big}, primary key (kind, ${quote}key${quote}))`,
        ]
      : []),
  ]
  return statements.map((text) => quoted(text, quote))
}

/** PostgreSQL folds names without quotes to lowercase. */
function quoted(text: string, quote: string): string {
  return text.replaceAll(/\b(?:[a-z]+[A-Z][A-Za-z]*|[A-Z][A-Za-z]+)\b/g, (name) => quote + name + quote)
}
