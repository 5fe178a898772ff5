export { type RedisClient, redisRateLimit, type RedisRateLimitOptions } from "./redis.js"
