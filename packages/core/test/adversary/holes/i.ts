import type { Hole } from "./hole.js"

/** Shared caches don't store a session. */
export const holes: readonly Hole[] = [
  {
    name: "a cache stores a response that renews a session",
    file: "src/http/prevent-caching.ts",
    replace: 'headers.set("cache-control", `private, no-store${kept}`)',
    with: 'headers.set("x-cache-control", `private, no-store${kept}`)',
    test: {
      file: "packages/next/test/attacks/caching.test.ts",
      title: "no cache stores a response on which the middleware renews a session",
    },
  },
  {
    name: "an application makes a response cacheable after its session was renewed",
    file: "src/node-http.ts",
    replace: "    preventCaching(headers)\n    return writeHead",
    with: "    return writeHead",
    test: {
      file: "packages/express/test/get-session.test.ts",
      title: "no cache stores a response that renews a session, whatever the application sets",
    },
  },
  {
    name: "a session cookie is added to the response of the application itself",
    file: "src/http/cookies-to-set.ts",
    replace: "const result = new Response(response.body, response)",
    with: "const result = response",
    test: {
      file: "packages/core/test/attacks/guards.test.ts",
      title: "a constant response of the application gets no cookie of a visitor",
    },
  },
  {
    name: "a forged host gets into the callback URL of the proxy of Next.js",
    file: "packages/next/src/protect.ts",
    replace: "url: withOrigin(own, origin)",
    with: 'url: withOrigin(own, `https://${request.headers.get("x-forwarded-host") ?? own.host}`)',
    test: { file: "packages/next/test/middleware.test.ts", title: "that Next.js knows if no host is trusted" },
  },
]
