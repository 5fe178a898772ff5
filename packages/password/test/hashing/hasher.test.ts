import { scryptSync } from "node:crypto"
import * as library from "@node-rs/argon2"
import { afterEach, describe, expect, test, vi } from "vitest"
import { createGate, Busy } from "../../src/hashing/gate.js"
import { createHasher, type HasherOptions, UnknownHash } from "../../src/hashing/hasher.js"
import { findArgon2 } from "../../src/hashing/argon2.js"
import { parsePhc } from "../../src/hashing/phc.js"

const password = "tuba gravel oyster ninety"

const hasher = (options: Partial<HasherOptions> = {}) =>
  createHasher({ algorithm: undefined, argon2: undefined, peppers: [], parallel: 4, waiting: 100, ...options })

/** A runtime that has no argon2 of its own, as Node 20. */
const older = async () => {
  vi.resetModules()
  vi.doMock("node:crypto", async (load) => ({ ...(await load<object>()), argon2: undefined, argon2Sync: undefined }))
  return (await import("../../src/hashing/hasher.js")).createHasher
}
afterEach(() => {
  vi.doUnmock("node:crypto")
  vi.resetModules()
})

const base = { algorithm: undefined, peppers: [], parallel: 4, waiting: 100 }

describe("a new hash", () => {
  test("is argon2id where the runtime has it, with OWASP's parameters", async () => {
    const hash = await hasher().hash(password)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await hasher().verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
    expect(await hasher().verify(`${password} `, hash)).toEqual({ isRight: false, isOutdated: false })
  })

  test("is scrypt otherwise, which every runtime verifies", async () => {
    const createHasher = await older()
    const old = createHasher({ ...base, argon2: undefined })
    const hash = await old.hash(password)
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await old.verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
    expect(await hasher().verify(password, hash)).toEqual({ isRight: true, isOutdated: true })
    expect(await hasher({ algorithm: "scrypt" }).verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
  })

  test("is what scrypt computes", async () => {
    const phc = parsePhc(await hasher({ algorithm: "scrypt" }).hash(password))
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }
    expect(phc && scryptSync(password, phc.salt, 32, options).equals(phc.hash)).toBe(true)
  })

  test("has another salt each time", async () => {
    const [one, other] = await Promise.all([hasher().hash(password), hasher().hash(password)])
    expect(one).not.toBe(other)
  })
})

describe("a runtime without argon2", () => {
  test("verifies argon2id with a library that the application passes", async () => {
    const hash = await hasher().hash(password)
    const createHasher = await older()
    const withLibrary = createHasher({ ...base, argon2: async () => library })
    expect(await withLibrary.verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
    expect(await hasher().verify(password, await withLibrary.hash(password))).toEqual({
      isRight: true,
      isOutdated: false,
    })
  })

  test("says what to do about an argon2 hash", async () => {
    const hash = await hasher().hash(password)
    const createHasher = await older()
    await expect(createHasher({ ...base, argon2: undefined }).verify(password, hash)).rejects.toThrow(
      /can't compute\. Use Node 24\.7 or newer or Bun, or pass `argon2: \(\) => import\("@node-rs\/argon2"\)`/,
    )
  })

  test("doesn't choose another algorithm than the one that is configured", async () => {
    const createHasher = await older()
    await expect(createHasher({ ...base, algorithm: "argon2id", argon2: undefined }).hash(password)).rejects.toThrow(
      "can't compute",
    )
  })
})

test.each(["argon2id", "argon2i", "argon2d"] as const)(
  "a hash of %s by another library verifies, and is outdated",
  async (variant) => {
    const algorithm = { argon2d: 0, argon2i: 1, argon2id: 2 }[variant]
    const hash = await library.hash(
      password,
      Object.assign({ memoryCost: 8192, timeCost: 3, parallelism: 2 }, { algorithm }),
    )
    expect(hash).toContain(`$${variant}$`)
    expect(await hasher().verify(password, hash)).toEqual({ isRight: true, isOutdated: true })
    expect(await hasher().verify("wrong", hash)).toEqual({ isRight: false, isOutdated: true })
  },
)

test("a hash of Bun verifies elsewhere, and the reverse", async () => {
  const verified: string[] = []
  vi.stubGlobal("Bun", {
    password: {
      hash: (bytes: Uint8Array, { memoryCost, timeCost }: { memoryCost: number; timeCost: number }) =>
        library.hash(bytes, { memoryCost, timeCost, parallelism: 1 }),
      verify: async (bytes: Uint8Array, hash: string) => {
        verified.push(hash)
        return library.verify(hash, bytes)
      },
    },
  })
  const createHasher = await older()
  const bun = createHasher({ ...base, argon2: undefined, peppers: [{ id: "k1", secret: "p".repeat(32) }] })
  const hash = await bun.hash(password)
  expect(await bun.verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
  expect(verified).toEqual([hash.replace(",keyid=k1", "")])
  expect(await hasher({ peppers: [{ id: "k1", secret: "p".repeat(32) }] }).verify(password, hash)).toEqual({
    isRight: true,
    isOutdated: false,
  })
})

describe("a pepper", () => {
  const [older, newer] = [
    { id: "2025", secret: "o".repeat(32) },
    { id: "2026", secret: "n".repeat(32) },
  ]

  test("stands in the hash by its id, and the hash can't be verified without it", async () => {
    const hash = await hasher({ peppers: [older] }).hash(password)
    expect(hash).toContain("m=19456,t=2,p=1,keyid=2025$")
    expect(await hasher({ peppers: [older] }).verify(password, hash)).toEqual({ isRight: true, isOutdated: false })
    await expect(hasher().verify(password, hash)).rejects.toThrow('No pepper has the id "2025"')
    const stolen = hash.replace(",keyid=2025", "")
    expect(await hasher().verify(password, stolen)).toEqual({ isRight: false, isOutdated: false })
  })

  test("can be replaced: hashes with the former one verify, and are outdated", async () => {
    const hash = await hasher({ peppers: [older] }).hash(password)
    expect(await hasher({ peppers: [newer, older] }).verify(password, hash)).toEqual({
      isRight: true,
      isOutdated: true,
    })
  })

  test("can be added later", async () => {
    const hash = await hasher().hash(password)
    expect(await hasher({ peppers: [newer] }).verify(password, hash)).toEqual({ isRight: true, isOutdated: true })
  })
})

test("a password is compared as it was typed, in any normalization", async () => {
  const hash = await hasher().hash("  Cafe\u0301 Straße über alles ")
  const isRight = async (typed: string) => (await hasher().verify(typed, hash)).isRight
  expect(await isRight("  Caf\u00E9\u00A0Straße über alles ")).toBe(true)
  for (const other of ["Café Straße über alles", "  café straße über alles ", "  Café Strasse über alles "])
    expect(await isRight(other)).toBe(false)
})

describe("bytes that other libraries cut", () => {
  test("a NUL and what follows it count", async () => {
    const hash = await hasher().hash("tuba gravel oyster\u0000ninety")
    expect((await hasher().verify("tuba gravel oyster", hash)).isRight).toBe(false)
    expect((await hasher().verify("tuba gravel oyster\u0000ninety", hash)).isRight).toBe(true)
  })

  test("the 73rd byte counts", async () => {
    const hash = await hasher().hash("x".repeat(72) + "one")
    expect((await hasher().verify("x".repeat(72) + "two", hash)).isRight).toBe(false)
  })
})

test("a megabyte isn't hashed, and takes as long as a wrong password", async () => {
  const hash = await hasher().hash(password)
  expect(await hasher().verify("x".repeat(1_000_000), hash)).toEqual({ isRight: false, isOutdated: false })
})

test.each(["", "plain", "$argon2id$", "$md5$c2FsdA$aGFzaA", "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA"])(
  "%j is no hash",
  async (stored) => {
    await expect(hasher().verify(password, stored)).rejects.toThrow(/unknown format/)
  },
)

test.each([
  "$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=4194304,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=64,t=2000000000,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
])("a hash can't cost more than a sign-in may: %s", async (stored) => {
  await expect(hasher().verify(password, stored)).rejects.toThrow("too high")
})

test("this runtime has argon2", async () => {
  expect(await findArgon2(undefined)).toBeDefined()
  expect(UnknownHash.name).toBe("UnknownHash")
})

describe("the number of hashes at once", () => {
  /** Work that ends when the test says so. */
  function works() {
    const ends: (() => void)[] = []
    const state = { running: 0, most: 0 }
    const work = () =>
      new Promise<void>((resolve) => {
        state.running += 1
        state.most = Math.max(state.most, state.running)
        ends.push(() => {
          state.running -= 1
          resolve()
        })
      })
    return { ends, state, work }
  }

  test("is bounded: of 1,000, four run, 100 wait, and the others are refused at once", async () => {
    const gate = createGate({ parallel: 4, waiting: 100 })
    const { ends, state, work } = works()
    const all = Array.from({ length: 1000 }, () => gate(work))
    const settled = Promise.allSettled(all)
    await expect(all[999]).rejects.toBeInstanceOf(Busy)
    expect(state.running).toBe(4)
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const results = await settled
    expect(results.filter(({ status }) => status === "fulfilled").length).toBe(104)
    expect(state.most).toBe(4)
    expect(await gate(async () => "free again")).toBe("free again")
  })

  test("goes down when a hash fails", async () => {
    const gate = createGate({ parallel: 1, waiting: 0 })
    await expect(gate(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await gate(async () => "next")).toBe("next")
  })
})

test("a user who doesn't exist costs a hash with the same parameters", async () => {
  const costs: unknown[] = []
  const counted = {
    hashRaw: (bytes: Uint8Array, options: NonNullable<Parameters<typeof library.hashRaw>[1]>) => {
      costs.push({ ...options, salt: options.salt?.length })
      return library.hashRaw(bytes, options)
    },
  }
  const createHasher = await older()
  const watched = createHasher({ ...base, argon2: async () => counted })
  const hash = await watched.hash(password)
  await watched.verify("wrong", hash)
  await watched.waste("wrong")
  await watched.waste("x".repeat(1_000_000))
  expect(costs).toEqual([costs[0], costs[0], costs[0], costs[0]])
})
