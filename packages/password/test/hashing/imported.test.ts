import * as bcryptjs from "bcryptjs"
import { describe, expect, test } from "vitest"
import { createHasher, formatOf } from "../../src/hashing/hasher.js"

const password = "tuba gravel oyster ninety"

const hasher = createHasher({
  algorithm: undefined,
  argon2: undefined,
  bcrypt: async () => bcryptjs,
  peppers: [{ id: "1", secret: "p".repeat(32) }],
  parallel: 4,
  waiting: 100,
})

const firebase =
  "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

/** Made by other implementations: the test vectors of bcrypt and of Firebase, and Python's `hashlib`. */
const hashes: readonly (readonly [string, string, string])[] = [
  ["bcrypt 2a", "U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["bcrypt 2b", "U*U*", "$2b$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"],
  ["bcrypt 2x", "U*U", "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["bcrypt 2y", "U*U*", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"],
  ["scrypt of Firebase, as Supabase writes it", "user1password", firebase],
  [
    "scrypt of Better Auth and Lucia 3",
    password,
    "000102030405060708090a0b0c0d0e0f:8e30d9f5302b660491632ae63de631810121968172757c8e042cada07b63474c269009a615f1ef7df3d556afd9dcbd1db703e6c45a3574b3e8e674fd51d21479",
  ],
  [
    "scrypt of Lucia",
    password,
    "s2:abcdefghij012345:177ffa4f5a8489b52db93f42ec8312b288cf09d9bbe97955588231d193d0038f8ab6ca38c86cb7a1f455c473eb6105d61e69b65a0b704bf9d64df7476485d6f1",
  ],
  [
    "a PHC string of scrypt",
    password,
    "$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$iflvGonTFxTTPa7Ooubkv2Qp29p8oXDldUIZwlE+35Q",
  ],
  [
    "PBKDF2 of Django",
    password,
    "pbkdf2_sha256$260000$NaCl4Django22chars$n8qIMFEUJ2VjTketNDZVKONCK186yvDPqrpuwIYDE/k=",
  ],
  ["PBKDF2 with SHA-1 of Django", password, "pbkdf2_sha1$1000$NaCl4Django22chars$ARzwCBwbU2CxXPx2OkPKxINFjWA="],
  [
    "PBKDF2 of ASP.NET Core, SHA-256",
    password,
    "AQAAAAEAAYagAAAAEAABAgMEBQYHCAkKCwwNDg/oqWL/9Q9xwVMjmZMjMRoJvJh0gDzNg3OTwOev33OUKw==",
  ],
  [
    "PBKDF2 of ASP.NET Core, SHA-512",
    password,
    "AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg8RdkW2jOorM28ddHSfiz6s4iEZa/n1DVDSkp+xLW3w2w==",
  ],
]

test.each(hashes)("%s verifies, and is outdated", async (_, right, hash) => {
  expect(formatOf(hash)).toBeDefined()
  expect(await hasher.verify(right, hash)).toEqual({ isRight: true, isOutdated: true })
  expect((await hasher.verify(`${right}!`, hash)).isRight).toBe(false)
  expect((await hasher.verify("x".repeat(1_000_000), hash)).isRight).toBe(false)
})

describe("bcrypt", () => {
  test("has the 72 bytes of the system that it comes from", async () => {
    const hash = await bcryptjs.hash("x".repeat(80), 4)
    expect((await hasher.verify("x".repeat(72), hash)).isRight).toBe(true)
    expect((await hasher.verify("x".repeat(71), hash)).isRight).toBe(false)
  })

  test("2x is never right with other characters than ASCII", async () => {
    const hash = (await bcryptjs.hash("pässword of words", 4)).replace(/^\$2b/, "$2x")
    expect((await hasher.verify("pässword of words", hash)).isRight).toBe(false)
  })

  test("needs a library, and says which", async () => {
    const without = createHasher({ algorithm: undefined, argon2: undefined, peppers: [], parallel: 1, waiting: 1 })
    await expect(without.verify("U*U", hashes[0]?.[2] ?? "")).rejects.toThrow('Pass `bcrypt: () => import("bcryptjs")`')
  })
})

test.each([
  "",
  "plain text",
  "5f4dcc3b5aa765d61d8327deb882cf99",
  "$1$salt$hash",
  "$2a$05$short",
  "pbkdf2_md5$1000$salt$AAAA",
  "sha1$salt$hash",
])("%j is no hash that can be imported", (text) => {
  expect(formatOf(text)).toBeUndefined()
})

test("a hash can't cost more than a sign-in may", async () => {
  const hash = "pbkdf2_sha256$9999999$salt$n8qIMFEUJ2VjTketNDZVKONCK186yvDPqrpuwIYDE/k="
  await expect(hasher.verify(password, hash)).rejects.toThrow("too many")
})
