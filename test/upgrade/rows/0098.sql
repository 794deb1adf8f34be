update projects set first_steps = '{widget}', has_first_steps = false;
