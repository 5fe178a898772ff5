import { DatabaseSync } from "node:sqlite"
import { DATABASE_FILE } from "$app/env/private"

/** The SQLite file. `sqlite` of @latchkey/sql has its tables in it, and this application has two more. */
export const file = DATABASE_FILE ?? "harbor.db"

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export function berthsOf(userId: string): readonly string[] {
  const rows = database().prepare("select boat from berths where user_id = ? order by boat").all(userId)
  return rows.map(({ boat }) => String(boat))
}

export function bookBerth(userId: string, boat: string): void {
  database().prepare("insert or ignore into berths values (?, ?)").run(userId, boat)
}

export function releaseBerths(userId: string): void {
  database().prepare("delete from berths where user_id = ?").run(userId)
}

export function saveMail({ to, subject, text }: Mail): void {
  database().prepare("insert into mails values (?, ?, ?)").run(to, subject, text)
}

/** The latest ten, the newest first. */
export function mails(): readonly Mail[] {
  const rows = database().prepare("select * from mails order by rowid desc limit 10").all()
  return rows.map(({ recipient, subject, text }) => ({
    to: String(recipient),
    subject: String(subject),
    text: String(text),
  }))
}

let opened: DatabaseSync | undefined

/** Opens the file on first use, because `vite build` has none. */
function database(): DatabaseSync {
  if (opened !== undefined) return opened
  opened = new DatabaseSync(file, { timeout: 5000 })
  opened.exec(`
    create table if not exists berths (user_id text, boat text, primary key (user_id, boat)) strict;
    create table if not exists mails (recipient text, subject text, text text) strict;
  `)
  return opened
}
