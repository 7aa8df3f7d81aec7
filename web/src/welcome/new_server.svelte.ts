// Whether the server has no accounts yet, which only somebody without a session needs to know.
import { GET, dataOf } from '../api/client';

class NewServer {
  is = $state(false);

  async check(): Promise<void> {
    try {
      this.is = (await dataOf(GET('/x/v1/welcome'))).isNewServer ?? false;
    } catch {
      // The login page reports what is wrong, once somebody tries.
      this.is = false;
    }
  }
}

export const newServer = new NewServer();
