import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createStorage, type Storage } from "unstorage"
import fsDriver from "unstorage/drivers/fs"
import redisDriver from "unstorage/drivers/redis"
import { inject, onTestFinished } from "vitest"

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "latchkey-unstorage-"))
}

/** A storage in a folder that is removed after the test. */
export async function fileStorage(): Promise<Storage> {
  const base = await temporaryFolder()
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  return createStorage({ driver: fsDriver({ base }) })
}

/** Each has a connection and locks of its own, as another process would. */
export function redisStorage(base: string): Storage {
  const url = inject("redis")
  if (url === undefined) throw new Error("Redis isn't running. Skip the test.")
  const storage = createStorage({ driver: redisDriver({ url, base }) })
  return storage
}
