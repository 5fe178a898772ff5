import mysql from "mysql2/promise"
import pg from "pg"
import { inject } from "vitest"

let count = 0

/** Connection URL of a new, empty PostgreSQL database. */
export async function newDatabase(): Promise<string> {
  const server = inject("postgres")
  if (server === undefined) throw new Error("PostgreSQL isn't running. Skip the test.")
  const name = `published_${process.pid}_${++count}`
  await run(server, `create database ${name}`)
  return withPath(server, name)
}

export async function run(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Connection URL of a new MariaDB database with these tables. */
export async function newMariaDatabase(tables: string): Promise<string> {
  const server = inject("mariadb")
  if (server === undefined) throw new Error("MariaDB isn't running. Skip the test.")
  const name = `published_${process.pid}_${++count}`
  const connection = await mysql.createConnection({ uri: server, multipleStatements: true })
  try {
    await connection.query(`create database ${name} character set utf8mb4; use ${name}; ${tables}`)
  } finally {
    await connection.end()
  }
  return withPath(server, name)
}

function withPath(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
