import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { PrismaAdapter } from "@auth/prisma-adapter"
import { PrismaPg } from "@prisma/adapter-pg"
import { newDatabase, run } from "./databases.js"
import { adapterOf, type Opened, type Entry } from "./published.js"

export const overPrisma: readonly Entry[] = [
  { name: "@auth/prisma-adapter", database: "PostgreSQL", needs: "postgres", open: openPrisma },
]

/** What Prisma would create for schema.prisma. Its schema engine isn't a package of npm. */
const tables = `
  create table "User" (
    "id" text primary key, "name" text, "email" text not null unique, "emailVerified" timestamp(3), "image" text,
    "createdAt" timestamp(3) not null default current_timestamp, "updatedAt" timestamp(3) not null
  );
  create table "Account" (
    "userId" text not null references "User" ("id") on delete cascade, "type" text not null, "provider" text not null,
    "providerAccountId" text not null, "refresh_token" text, "access_token" text, "expires_at" integer, "token_type" text,
    "scope" text, "id_token" text, "session_state" text, "createdAt" timestamp(3) not null default current_timestamp,
    "updatedAt" timestamp(3) not null, primary key ("provider", "providerAccountId")
  );
  create table "Session" (
    "sessionToken" text not null unique, "userId" text not null references "User" ("id") on delete cascade,
    "expires" timestamp(3) not null, "createdAt" timestamp(3) not null default current_timestamp,
    "updatedAt" timestamp(3) not null
  );
  create table "VerificationToken" (
    "identifier" text not null, "token" text not null, "expires" timestamp(3) not null, primary key ("identifier", "token")
  );
  create table "Authenticator" (
    "credentialID" text not null unique, "userId" text not null references "User" ("id") on delete cascade,
    "providerAccountId" text not null, "credentialPublicKey" text not null, "counter" integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" boolean not null, "transports" text,
    primary key ("userId", "credentialID")
  );`

/** `prisma generate` writes it, so it doesn't exist when this file is checked. */
const client = new URL("../node_modules/.cache/published-prisma/index.js", import.meta.url)

async function openPrisma(route: (url: string) => string): Promise<Opened> {
  await generateClient()
  const require = createRequire(import.meta.url)
  const { PrismaClient }: Generated = require(fileURLToPath(client))
  const connectionString = await newDatabase()
  await run(connectionString, tables)
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: route(connectionString) }) })
  return { adapter: adapterOf(PrismaAdapter(prisma)), close: () => prisma.$disconnect() }
}

interface Generated {
  readonly PrismaClient: new (options: { adapter: PrismaPg }) => { $disconnect(): Promise<void> }
}

async function generateClient(): Promise<void> {
  const program = createRequire(import.meta.url).resolve("prisma/build/index.js")
  const schema = fileURLToPath(new URL("schema.prisma", import.meta.url))
  // Prisma downloads the schema engine unless it has a path. `generate` doesn't use it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" }
  await promisify(execFile)(process.execPath, [program, "generate", "--schema", schema], { env })
}
