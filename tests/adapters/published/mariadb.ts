import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter } from "@auth/kysely-adapter"
import { drizzle } from "drizzle-orm/mysql2"
import { Kysely, MysqlDialect } from "kysely"
import { createPool as createCallbackPool } from "mysql2"
import { createPool } from "mysql2/promise"
import { newMariaDatabase } from "./databases.js"
import { adapterOf, type Opened, type Entry } from "./published.js"

const mariadb = { database: "MariaDB", needs: "mariadb" } as const

export const overMariadb: readonly Entry[] = [
  { name: "@auth/kysely-adapter", ...mariadb, open: openKysely },
  { name: "@auth/drizzle-adapter", ...mariadb, precision: "seconds", open: openDrizzle },
]

/** The tables of the MySQL migration in the documentation, in the default collation of the server. */
const kyselyTables = `
  create table User (
    id varchar(36) primary key, name varchar(255), email varchar(255) not null unique, emailVerified timestamp(3) null,
    image varchar(255)
  );
  create table Account (
    id varchar(36) primary key default (uuid()), userId varchar(36) not null, type varchar(255) not null,
    provider varchar(255) not null, providerAccountId varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, token_type varchar(255), scope text, id_token text, session_state text,
    foreign key (userId) references User (id) on delete cascade
  );
  create table Session (
    id varchar(36) primary key default (uuid()), userId varchar(36) not null, sessionToken varchar(255) not null unique,
    expires timestamp(3) not null, foreign key (userId) references User (id) on delete cascade
  );
  create table VerificationToken (
    identifier varchar(255) not null, token varchar(255) not null unique, expires timestamp(3) not null
  );`

/** What drizzle-kit creates for the default tables. */
const drizzleTables = `
  create table user (
    id varchar(255) primary key, name varchar(255), email varchar(255) unique, emailVerified timestamp(3) null,
    image varchar(255)
  );
  create table account (
    userId varchar(255) not null references user (id) on delete cascade, type varchar(255) not null,
    provider varchar(255) not null, providerAccountId varchar(255) not null, refresh_token varchar(255),
    access_token varchar(255), expires_at int, token_type varchar(255), scope varchar(255), id_token varchar(2048),
    session_state varchar(255), primary key (provider, providerAccountId)
  );
  create table session (
    sessionToken varchar(255) primary key, userId varchar(255) not null references user (id) on delete cascade,
    expires timestamp not null
  );
  create table verificationToken (
    identifier varchar(255) not null, token varchar(255) not null, expires timestamp not null,
    primary key (identifier, token)
  );
  create table authenticator (
    credentialID varchar(255) not null unique, userId varchar(255) not null references user (id) on delete cascade,
    providerAccountId varchar(255) not null, credentialPublicKey varchar(255) not null, counter int not null,
    credentialDeviceType varchar(255) not null, credentialBackedUp boolean not null, transports varchar(255),
    primary key (userId, credentialID)
  );`

async function openKysely(route: (url: string) => string): Promise<Opened> {
  const pool = createCallbackPool({ uri: route(await newMariaDatabase(kyselyTables)), timezone: "Z" })
  const database = new Kysely<never>({ dialect: new MysqlDialect({ pool }) })
  return { adapter: adapterOf(KyselyAdapter(database)), close: () => database.destroy() }
}

async function openDrizzle(route: (url: string) => string): Promise<Opened> {
  const pool = createPool({ uri: route(await newMariaDatabase(drizzleTables)) })
  return { adapter: adapterOf(DrizzleAdapter(drizzle(pool))), close: () => pool.end() }
}
