import type { Starter } from "../starter.js"
import { astro } from "./astro.js"
import { elysia } from "./elysia.js"
import { express } from "./express.js"
import { fastify } from "./fastify.js"
import { hono } from "./hono.js"
import { honoWorkers } from "./hono-workers.js"
import { nestjs } from "./nestjs.js"
import { next } from "./next.js"
import { node } from "./node.js"
import { nuxt } from "./nuxt.js"
import { qwik } from "./qwik.js"
import { react } from "./react.js"
import { reactRouter } from "./react-router.js"
import { solidStart } from "./solid-start.js"
import { sveltekit } from "./sveltekit.js"
import { tanstackStart } from "./tanstack-start.js"

export const starters: readonly Starter[] = [
  astro,
  elysia,
  express,
  fastify,
  hono,
  honoWorkers,
  nestjs,
  next,
  node,
  nuxt,
  qwik,
  react,
  reactRouter,
  solidStart,
  sveltekit,
  tanstackStart,
]
