import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import type { Application } from "../application.js"

/** Code of each part that survives minification and isn't a message, so that rewording a message doesn't break the test. */
const marks = {
  "the pages": "<!DOCTYPE html>",
  "sign-in with OAuth": "code_challenge_method",
  "sign-in with email": '"email link"',
  "sign-in with credentials": '"redirectTo","json"',
  "the adapter": "sqlite",
  "provider discovery": ".well-known/openid-configuration",
  "sign-in with passkeys": '"webauthn decoy"',
  "the passkey library": "Unexpected authentication response origin",
  "account linking": 'kind:"resume"',
}

type Part = keyof typeof marks

/** @param unused parts that the application doesn't use at all */
export function middlewareWithoutEngine(app: Application, unused: readonly Part[] = []): void {
  const used = Object.entries(marks).filter(([part]) => !unused.some((name) => name === part))
  describe("the bundle of the middleware on the edge runtime", () => {
    test("contains the code that reads a session", () => {
      expect(bundle(app)).toContain("session-token")
    })

    test.each(used)("has no code for %s, unlike the application", (_, mark) => {
      expect(bundle(app)).not.toContain(mark)
      expect(wholeServer(app).some((text) => text.includes(mark))).toBe(true)
    })
  })
}

/** All files that the manifest lists for the middleware. */
export function bundle({ built }: Application): string {
  const folder = join(built.folder, ".next")
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "server/middleware-manifest.json"), "utf8"))
  const { middleware } = manifest as { middleware: Record<string, { files: readonly string[] }> }
  const files = Object.values(middleware).flatMap(({ files }) => files)
  if (files.length === 0) throw new Error("The application has no middleware on the edge runtime")
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n")
}

function wholeServer({ built }: Application): readonly string[] {
  const folder = join(built.folder, ".next/server")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".js"))
  return files.map((path) => readFileSync(join(folder, path), "utf8"))
}

/** Sizes in bytes, for reports. */
export function sizeOf(app: Application): { readonly bytes: number; readonly gzip: number } {
  const text = bundle(app)
  return { bytes: Buffer.byteLength(text), gzip: gzipSync(text).length }
}
