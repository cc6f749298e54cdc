// A challenge's page goes to the match as soon as there is one.
import { on } from "./feed.js";

on("match", ({ url }) => location.assign(url));
